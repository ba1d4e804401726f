/*
 * Makes a text of different words with a given fingerprint, as an attacker can who reads `src/domain/duplicates/simhash.ts`: it uses that
 * file's hashes and chooses words one by one.
 */

const bits = 256;
/** Candidate words per position. */
const candidates = 60;

function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** @param repeated a word repeated at every tenth position */
export function imitate(target: Uint8Array, repeated: string, words: number): string {
  const wanted = Int8Array.from({ length: bits }, (_, bit) => (((target[bit >>> 3] ?? 0) >>> (bit & 7)) & 1 ? 1 : -1));
  /** For each bit, the majority of shingles with the wanted value. */
  const lead = new Int32Array(bits);
  const chosen = [repeated, 'of'];
  let [before, last] = chosen.map(hashOf) as [number, number];
  let made = 0;
  const votesOf = (word: string): Int8Array => {
    const shingle = mix(mix(mix(before) + last) + hashOf(word)) | 0;
    const votes = new Int8Array(bits);
    for (let at = 0; at < bits / 32; at += 1) {
      const part = mix(shingle + Math.imul(at + 1, 0x9e3779b9));
      for (let bit = 0; bit < 32; bit += 1)
        votes[at * 32 + bit] = ((part >>> bit) & 1 ? 1 : -1) * (wanted[at * 32 + bit] ?? 0);
    }
    return votes;
  };
  while (chosen.length < words) {
    let best = { word: repeated, votes: votesOf(repeated), score: Number.NEGATIVE_INFINITY };
    for (let tried = 0; tried < candidates && chosen.length % 10 !== 0; tried += 1) {
      const word = `w${(made += 1).toString(36)}`;
      const votes = votesOf(word);
      // Bits that are wrong, or right by a small majority, count most.
      const score = votes.reduce((sum, vote, bit) => sum + vote * Math.exp(-(lead[bit] ?? 0) / 4), 0);
      if (score > best.score) best = { word, votes, score };
    }
    for (const [bit, vote] of best.votes.entries()) lead[bit] = (lead[bit] ?? 0) + vote;
    chosen.push(best.word);
    [before, last] = [last, hashOf(best.word)];
  }
  return chosen.join(' ');
}
