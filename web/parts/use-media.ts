import { useLayoutEffect, useState } from 'preact/hooks';

/** Whether a media query is true; false in the first drawing, which the server makes as well. */
export function useMedia(query: string): boolean {
  const [isTrue, setTrue] = useState(false);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const look = (): void => setTrue(media.matches);
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [query]);
  return isTrue;
}
