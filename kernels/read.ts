/* The least that any scan has to do: it reads every byte once. `bench/search-scan.ts` compiles it and measures the scan against it. */

/** The sum of `bytes` bytes (a multiple of 128), taken as 64-bit integers. */
export function read(from: usize, bytes: usize): i64 {
  let a = i64x2.splat(0);
  let b = i64x2.splat(0);
  let c = i64x2.splat(0);
  let d = i64x2.splat(0);
  for (const end = from + bytes; from < end; from += 128) {
    a = i64x2.add(a, i64x2.add(v128.load(from), v128.load(from, 64)));
    b = i64x2.add(b, i64x2.add(v128.load(from, 16), v128.load(from, 80)));
    c = i64x2.add(c, i64x2.add(v128.load(from, 32), v128.load(from, 96)));
    d = i64x2.add(d, i64x2.add(v128.load(from, 48), v128.load(from, 112)));
  }
  const sum = i64x2.add(i64x2.add(a, b), i64x2.add(c, d));
  return i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
}
