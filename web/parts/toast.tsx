import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { text } from '../text.ts';

interface Notice {
  message: string;
  /** Takes back what was just done. */
  undo?: () => void;
}

export type Tell = (notice: Notice) => void;

const shownMs = 8_000;
const context = createContext<Tell>(() => undefined);

/** Says shortly what was done, with the way back. */
export const useTell = (): Tell => useContext(context);

export function Toasts({ children }: { children: ComponentChildren }): JSX.Element {
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isHeld, setHeld] = useState(false);
  const tell = useCallback((next: Notice) => setNotice(next), []);
  useEffect(() => {
    if (notice === null || isHeld) return undefined;
    const timer = setTimeout(() => setNotice(null), shownMs);
    return () => clearTimeout(timer);
  }, [notice, isHeld]);
  const undo = notice?.undo;
  return (
    <context.Provider value={tell}>
      {children}
      <div class="toasts" role="status">
        {notice !== null && (
          // It stays as long as somebody is about to press it.
          <div
            class="toast"
            onPointerEnter={() => setHeld(true)}
            onPointerLeave={() => setHeld(false)}
            onFocusIn={() => setHeld(true)}
            onFocusOut={() => setHeld(false)}
          >
            <span>{notice.message}</span>
            {undo !== undefined && (
              <button
                type="button"
                onClick={() => {
                  setNotice(null);
                  setHeld(false);
                  undo();
                }}
              >
                {text.undo}
              </button>
            )}
          </div>
        )}
      </div>
    </context.Provider>
  );
}
