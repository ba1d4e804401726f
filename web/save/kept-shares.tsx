import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { discardShare, keptShares, sendShares, type Share } from '../kept/offline.ts';
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
      <ul>
        {shares.map(({ address, form }) => {
          const name = nameOf(form);
          return (
            <li key={address} class={`saved-item ${address in refused ? 'failed' : ''}`}>
              <p class="title">{name}</p>
              {address in refused && <p class="words">{refused[address] || text.save.notSaved}</p>}
              <p class="do">
                <button
                  type="button"
                  aria-label={text.save.discardNamed(name)}
                  onClick={() => void discardShare(address).then(look)}
                >
                  {text.save.discard}
                </button>
              </p>
            </li>
          );
        })}
      </ul>
      <p class="buttons">
        <button type="button" class="button quiet" disabled={isSending} onClick={() => void save()}>
          {text.save.saveShares}
        </button>
      </p>
    </section>
  );
}

function nameOf(form: FormData): string {
  const words = [...form.values()].map((value) => (typeof value === 'string' ? value : value.name).trim());
  return words.filter(Boolean).join(' · ').slice(0, 200);
}
