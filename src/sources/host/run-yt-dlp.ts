import { execFile } from 'node:child_process';

const timeLimitMs = 60_000;
const maxOutputBytes = 30_000_000;

/**
 * Runs the yt-dlp that the user put in place, for what is known of a video and where its captions are; downloads nothing.
 * No shell, no settings of the user's, none of our environment, one minute.
 * @returns its JSON as it was printed; null when it failed, whatever the reason: then the video is refused to it as it is to us
 */
export function runYtDlp(path: string, address: string, signal: AbortSignal): Promise<Uint8Array | null> {
  const options = ['--ignore-config', '--no-cache-dir', '--no-playlist', '--no-warnings', '--socket-timeout', '15'];
  return new Promise((resolve, reject) => {
    execFile(
      path,
      [...options, '--skip-download', '--dump-single-json', '--', address],
      {
        // Nobody decodes it here.
        encoding: 'buffer',
        signal,
        timeout: timeLimitMs,
        killSignal: 'SIGKILL',
        maxBuffer: maxOutputBytes,
        shell: false,
        windowsHide: true,
        // Our own environment may hold secrets. Windows starts nothing without its variables.
        ...(process.platform !== 'win32' && { env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' } }),
      },
      (error, stdout) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve(error === null ? stdout : null);
      },
    );
  });
}
