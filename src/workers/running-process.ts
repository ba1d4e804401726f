/** Whether a process of this machine runs; false for an invalid process id, such as one read from a damaged file. */
export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process cannot be queried, but it exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
