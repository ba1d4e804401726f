import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts verdaccio, installed in `folder`, on a free port of 127.0.0.1. Everybody may publish `own`; every other package comes
 * from `upstream`.
 */
export async function startRegistry(
  folder: string,
  own: string,
  upstream: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, timeout: '120s' } },
    packages: {
      [own]: { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '200mb',
    log: { type: 'stdout', format: 'pretty', level: 'http' },
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
  };
  const configFile = join(folder, 'verdaccio.yaml');
  // Every JSON document is a YAML document.
  writeFileSync(configFile, JSON.stringify(config));
  const program = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  const child = spawn(process.execPath, [program, '--config', configFile, '--listen', url], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.includes('http address') && resolve());
    void exited.then(() => reject(new Error('the registry did not start')));
  });
  return {
    url,
    close: async () => {
      child.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
