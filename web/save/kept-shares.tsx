import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { discardShare, keptShares, sendShares, type Share } from '../kept/offline.ts';
import { Do } from '../parts/do.tsx';
import { Thing } from '../parts/things.tsx';
import { useTell } from '../parts/toast.tsx';
import { useWrite } from '../parts/use-write.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';

/** What was shared while it could not be saved. Any site can bring that about, so it is saved after a press alone. */
export function KeptShares(): JSX.Element | null {
  const { accountId } = useStore().start;
  const tell = useTell();
  const write = useWrite();
  const [shares, setShares] = useState<Share[]>([]);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const [isSending, setSending] = useState(false);
  const look = (): Promise<void> => keptShares(accountId).then(setShares);
  useEffect(() => {
    if ('caches' in globalThis) void look().catch(() => undefined);
  }, []);
  if (shares.length === 0) return null;

  const save = async (): Promise<void> => {
    setSending(true);
    try {
      const sent = await sendShares(accountId);
      setRefused(sent.refused);
      const undo = (): void => {
        for (const id of sent.undo) void write({ operation: 'undo', input: { id }, done: text.undoneOrNot });
      };
      if (sent.saved > 0) tell({ message: text.save.shared(sent.saved), ...(sent.undo.length > 0 && { undo }) });
      else if (sent.isAway) tell({ message: text.kept.shared });
      await look();
    } finally {
      setSending(false);
    }
  };
  return (
    <section class="saved" aria-labelledby="shares-title">
      <h2 id="shares-title">{text.save.shares}</h2>
      <p class="soft">{text.save.sharesHow}</p>
      <ul class="listed">
        {shares.map(({ address, form }) => {
          const name = nameOf(form);
          const discard = (): unknown => discardShare(address).then(look);
          return (
            <Thing key={address} title={name} does={<Do label={text.save.discard} of={name} run={discard} />}>
              {address in refused && <p class="words">{refused[address] || text.save.notSaved}</p>}
            </Thing>
          );
        })}
      </ul>
      <Do class="button quiet" label={text.save.saveShares} disabled={isSending} run={save} />
    </section>
  );
}

function nameOf(form: FormData): string {
  const words = [...form.values()].map((value) => (typeof value === 'string' ? value : value.name).trim());
  return words.filter(Boolean).join(' · ').slice(0, 200);
}
