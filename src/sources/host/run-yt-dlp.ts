import { execFile } from 'node:child_process';

const timeLimitMs = 60_000;
const maxOutputBytes = 30_000_000;

/**
 * Runs the user's yt-dlp to get a video's metadata and the addresses of its captions. It downloads nothing. It runs
 * without a shell, without the user's yt-dlp configuration and without our environment, for at most one minute.
 * @returns its JSON output as bytes; null when it failed for any reason: the site then refuses the video to yt-dlp as
 * it does to us
 */
export function runYtDlp(path: string, address: string, signal: AbortSignal): Promise<Uint8Array | null> {
  const options = ['--ignore-config', '--no-cache-dir', '--no-playlist', '--no-warnings', '--socket-timeout', '15'];
  return new Promise((resolve, reject) => {
    execFile(
      path,
      [...options, '--skip-download', '--dump-single-json', '--', address],
      {
        // Keep the output as bytes; it is decoded elsewhere.
        encoding: 'buffer',
        signal,
        timeout: timeLimitMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxOutputBytes,
        shell: false,
        windowsHide: true,
        // Our environment may hold secrets. Windows cannot start a program without its environment variables.
        ...(process.platform !== 'win32' && { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' } }),
      },
      (error, stdout) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(error === null ? stdout : null);
      },
    );
  });
}
