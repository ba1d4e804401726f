/** A table of n-grams, and for each of them a number for some languages: what `eld` keeps as an object of objects. */
export type NGramTable = Readonly<Record<string, Readonly<Record<string, number>>>>;

export type PackedNGrams = ReturnType<typeof packNGrams>;

/** The same table in three strings. As objects it takes 23 MB, and so takes a megabyte. */
export function packNGrams(table: NGramTable) {
  // Compares UTF-16 units like `<`.
  const keys = Object.keys(table).sort((a, b) => (a < b ? -1 : 1));
  const width = Math.max(...keys.map(({ length }) => length));
  const languages = keys.map((key) => Object.entries(table[key] ?? {}));
  return {
    /** All n-grams in the order of their UTF-16 units, each filled up to `width` with U+0000. */
    keys: keys.map((key) => key.padEnd(width, '\0')).join(''),
    width,
    /** For each n-gram, a character whose code is the number of its languages. */
    counts: languages.map(({ length }) => String.fromCharCode(length)).join(''),
    /** For each n-gram and language, a character for the language and one for its number. */
    entries: languages
      .flat()
      .map(([language, number]) => String.fromCharCode(Number(language), number))
      .join(''),
  };
}

/** Looks n-grams up in the packed table, through the interface of the object that was packed. */
export function openNGrams({ keys, width, counts, entries }: PackedNGrams): NGramTable {
  const starts = new Uint32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at += 1) starts[at + 1] = (starts[at] ?? 0) + counts.charCodeAt(at);
  const find = (key: string): number => {
    let [low, high] = [0, counts.length - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const difference = compareAt(keys, middle * width, width, key);
      if (difference === 0) return middle;
      if (difference < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
  return new Proxy<NGramTable>(
    {},
    {
      get(_, key) {
        if (typeof key !== 'string' || key.length > width) return undefined;
        const found = find(key);
        if (found === -1) return undefined;
        const numbers: Record<string, number> = {};
        for (let at = starts[found] ?? 0; at < (starts[found + 1] ?? 0); at += 1)
          numbers[entries.charCodeAt(2 * at)] = entries.charCodeAt(2 * at + 1);
        return numbers;
      },
    },
  );
}

function compareAt(keys: string, place: number, width: number, key: string): number {
  for (let at = 0; at < width; at += 1) {
    const wanted = at < key.length ? key.charCodeAt(at) : 0;
    const difference = keys.charCodeAt(place + at) - wanted;
    if (difference !== 0) return difference;
  }
  return 0;
}
