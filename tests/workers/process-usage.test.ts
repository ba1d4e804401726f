import { describe, expect, it } from 'vitest';
import { processMemory, processorTime } from '../../src/workers/handle.ts';

describe('The memory of a process', () => {
  it('is its own on Linux, the resident size elsewhere, and unknown where neither exists', async () => {
    expect(await processMemory(process.pid, 'linux')).toBeGreaterThan(10_000_000);
    expect(await processMemory(process.pid, 'darwin')).toBeGreaterThan(10_000_000);
    expect(await processMemory(process.pid, 'win32')).toBeNull();
    expect(await processMemory(2 ** 30, 'linux')).toBeNull();
  });
});

describe('The processor time of a process', () => {
  it('is known on the same platforms', async () => {
    const usedMs = process.cpuUsage().user / 1_000;
    expect(await processorTime(process.pid, 'linux')).toBeGreaterThan(usedMs / 2);
    expect(await processorTime(process.pid, 'darwin')).toBeGreaterThanOrEqual(0);
    expect(await processorTime(process.pid, 'win32')).toBeNull();
    expect(await processorTime(2 ** 30, 'linux')).toBeNull();
  });
});
