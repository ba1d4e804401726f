import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleTools, factsOf, manifest } from '../../../scripts/release/facts.ts';
import { bundleManifest } from '../../../scripts/release/mcpb.ts';

/* The desktop bundle as a host unpacks and starts it; its program is the built one. `npm test` builds it first. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace bundle-'));
  mkdirSync(join(folder, 'server'));
  for (const file of ['launch.sh', 'start.mjs'])
    cpSync(join('scripts/release/mcpb', file), join(folder, 'server', file));
  symlinkSync(resolve('dist'), join(folder, 'server', 'dist'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command and the environment that a host makes of the manifest, with nothing filled in but what has a default. */
function hostStart(platform: NodeJS.Platform) {
  const {
    command,
    args,
    env,
    platform_overrides: overrides,
  } = bundleManifest(factsOf('someone/library')).server.mcp_config;
  const own = platform === 'win32' ? overrides.win32 : { command, args };
  return {
    command: own.command === 'node' ? process.execPath : own.command,
    args: own.args.map((argument) => argument.replace('${__dirname}', folder)),
    env: { ...env, COMMONPLACE_MANAGE_TOOLS: 'false', COMMONPLACE_DATA: join(folder, 'data') },
  };
}

describe('The desktop bundle', () => {
  it.each(process.platform === 'win32' ? (['win32'] as const) : (['win32', process.platform] as const))(
    'starts as on %s with empty settings, and shows the tools in its manifest',
    async (platform) => {
      const { command, args, env } = hostStart(platform);
      const client = new Client({ name: 'host', version: '1.0.0' });
      const path = process.platform === 'win32' ? (process.env['PATH'] ?? '') : '/usr/bin:/bin';
      const given = { ...env, PATH: path, COMMONPLACE_NODE: process.execPath };
      try {
        await client.connect(new StdioClientTransport({ command, args, env: given, stderr: 'inherit' }));
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(bundleTools.map(({ name }) => name));
      } finally {
        await client.close();
      }
    },
  );
});

describe('The check of a tag', () => {
  const check = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release/check-tag.ts', ...args], { encoding: 'utf8' });

  it('reports what does not match', () => {
    const { status, stderr } = check('v99.0.0', 'someone/else');
    expect(status).toBe(1);
    expect(stderr).toContain(`the tag is v99.0.0, the version in package.json ${manifest.version}`);
    expect(stderr).toContain('this is someone/else');
  });

  it('accepts the version and the repository of package.json, once it is published', () => {
    const { status, stderr } = check(`v${manifest.version}`, manifest.commonplace.repository);
    expect(status).toBe(manifest.commonplace.published ? 0 : 1);
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => line !== '' && !line.includes('commonplace.published')),
    ).toEqual([]);
  });
});
