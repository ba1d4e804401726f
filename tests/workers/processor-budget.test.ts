import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchProcessorTime } from '../../src/workers/limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A thread that gets this share of the processor. */
function worker(share: number): Parameters<typeof watchProcessorTime>[0] {
  return {
    cpuUsage: (from) => Promise.resolve({ user: performance.now() * share * 1_000 - (from?.user ?? 0), system: 0 }),
  };
}

/** After how many milliseconds a budget of a second is over; null for not at all. */
async function endOf(share: number): Promise<number | null> {
  const began = performance.now();
  const ends: number[] = [];
  const stop = watchProcessorTime(
    worker(share),
    () => 1_000,
    () => ends.push(performance.now() - began),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  stop();
  expect(ends.length).toBeLessThanOrEqual(1);
  return ends[0] ?? null;
}

describe('a thread that may have the processor for a second', () => {
  it('is ended after that when it has the processor to itself', async () => {
    expect(await endOf(1)).toBe(1_000);
  });

  it('gets longer on a busy machine by the time it had to wait', async () => {
    const end = (await endOf(0.25)) ?? 0;
    expect(end).toBeGreaterThanOrEqual(4_000);
    expect(end).toBeLessThan(4_200);
  });

  it('is not measured when it finishes soon', async () => {
    const cpuUsage = vi.fn<() => Promise<NodeJS.CpuUsage>>();
    const stop = watchProcessorTime({ cpuUsage }, () => 1_000, vi.fn<() => void>());
    await vi.advanceTimersByTimeAsync(49);
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(cpuUsage).not.toHaveBeenCalled();
  });

  it('is not waited for endlessly', async () => {
    expect(await endOf(0)).toBe(6_000);
  });

  it('is left alone once the watch is stopped, and when it has ended by itself', async () => {
    const over = vi.fn<() => void>();
    watchProcessorTime(worker(1), () => 1_000, over)();
    watchProcessorTime({ cpuUsage: () => Promise.reject(new Error('not running')) }, () => 1_000, over);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(over).not.toHaveBeenCalled();
  });

  it('gets longer when its limit is raised meanwhile', async () => {
    const ends: number[] = [];
    const began = performance.now();
    let allowedMs = 1_000;
    const stop = watchProcessorTime(
      worker(1),
      () => allowedMs,
      () => ends.push(performance.now() - began),
    );
    await vi.advanceTimersByTimeAsync(900);
    allowedMs = 3_000;
    await vi.advanceTimersByTimeAsync(20_000);
    stop();
    expect(ends).toEqual([3_000]);
  });

  it('gets a second of wall time where Node cannot measure', async () => {
    const over = vi.fn<() => void>();
    watchProcessorTime({} as Parameters<typeof watchProcessorTime>[0], () => 1_000, over);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(over).toHaveBeenCalledOnce();
  });
});
