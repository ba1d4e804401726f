/*
 * The list of the best hits of a scan.
 *
 * `top` begins with four fields of 4 bytes: the number of wanted hits (k), the number of hits in the list, the score that further hits
 * must exceed (float32), and an unused one. Then comes space for 2k keys of 8 bytes. Keys order hits: the upper half is the score, its bits
 * changed to compare as integers; the lower half is the complement of the row, so that of two equal scores the earlier row is the better one.
 */

export const filledAt: usize = 4;
export const leastAt: usize = 8;
export const keysAt: usize = 16;

/** Moves the `wanted` largest of `count` different keys to the front, the least of them last. */
function select(keys: usize, count: i32, wanted: i32): void {
  const place = wanted - 1;
  let left = 0;
  let right = count - 1;
  while (left < right) {
    const pivot = load<u64>(keys + ((<usize>(left + right) >> 1) << 3));
    let i = left;
    let j = right;
    while (i <= j) {
      while (load<u64>(keys + (<usize>i << 3)) > pivot) i += 1;
      while (load<u64>(keys + (<usize>j << 3)) < pivot) j -= 1;
      if (i > j) break;
      const larger = load<u64>(keys + (<usize>j << 3));
      store<u64>(keys + (<usize>j << 3), load<u64>(keys + (<usize>i << 3)));
      store<u64>(keys + (<usize>i << 3), larger);
      i += 1;
      j -= 1;
    }
    if (place <= j) right = j;
    else if (place >= i) left = i;
    else return;
  }
}

export function put(top: usize, row: i32, score: f32): void {
  const bits = reinterpret<i32>(score);
  const high = <u32>(bits ^ ((bits >> 31) | i32.MIN_VALUE));
  const wanted = load<i32>(top);
  const filled = load<i32>(top + filledAt);
  store<u64>(top + keysAt + (<usize>filled << 3), (<u64>high << 32) | <u64>(~(<u32>row)));
  store<i32>(top + filledAt, filled + 1);
  if (filled + 1 < 2 * wanted) return;
  select(top + keysAt, 2 * wanted, wanted);
  store<i32>(top + filledAt, wanted);
  const least = <i32>(load<u64>(top + keysAt + (<usize>(wanted - 1) << 3)) >> 32);
  store<f32>(top + leastAt, reinterpret<f32>(least ^ ((~least >> 31) | i32.MIN_VALUE)));
}

/** Leaves the best k keys in `top`, or all when there are fewer, in no order. */
export function finish(top: usize): void {
  const wanted = load<i32>(top);
  const filled = load<i32>(top + filledAt);
  if (filled <= wanted) return;
  select(top + keysAt, filled, wanted);
  store<i32>(top + filledAt, wanted);
}
