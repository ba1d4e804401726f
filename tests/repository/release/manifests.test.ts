import { MANIFEST_SCHEMAS } from '@anthropic-ai/mcpb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleEnvironment, factsOf, manifest } from '../../../scripts/release/facts.ts';
import { hostFiles, installLinks, startCommand } from '../../../scripts/release/hosts.ts';
import { bundleManifest } from '../../../scripts/release/mcpb.ts';
import { publishedManifest } from '../../../scripts/release/program-folder.ts';
import { serverJson, serverJsonSchema } from '../../../scripts/release/server-json.ts';
import { environmentName, loadConfig } from '../../../src/settings/config.ts';
import { shownToolSets } from '../../../src/mcp/mcp-parts.ts';
import { settings } from '../../../src/settings/settings.ts';
import { readVersion } from '../../../src/settings/version.ts';
import { openTestServer } from '../../support/test-server.ts';
import { connectInMemory, type TestClient } from '../../support/mcp.ts';

const facts = factsOf('someone/library');
const bundle = { file: `commonplace-${facts.version}.mcpb`, sha256: 'ab'.repeat(32) };

let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
beforeAll(async () => {
  testServer = await openTestServer({ embedder: 'none' });
  const config = loadConfig({ data: '/nowhere' }, { ...bundleEnvironment });
  client = await connectInMemory(testServer.app, 'v2 client, 2026-07-28', [...shownToolSets(config)]);
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

/** Every value under the key `version`, however deep, and every version that is part of a package's name or address. */
function versionsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...value.matchAll(/(?:commonplace-mcp@|\/v)(\d+\.\d+\.\d+[^/\s]*)/g)].map((m) => m[1] ?? '');
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) =>
    key === 'version' && typeof held === 'string' ? [held] : versionsIn(held),
  );
}

describe('The release files', () => {
  it('have one version', () => {
    const files = [
      publishedManifest(facts),
      bundleManifest(facts),
      serverJson(facts, bundle),
      ...hostFiles(facts).values(),
    ];
    const versions = files.flatMap(versionsIn);
    expect(versions.length).toBeGreaterThan(10);
    expect(new Set(versions)).toEqual(new Set([manifest.version]));
    expect(readVersion()).toBe(manifest.version);
  });

  it('take every address from the one setting', () => {
    const files = [
      publishedManifest(facts),
      bundleManifest(facts),
      serverJson(facts, bundle),
      ...hostFiles(facts).values(),
    ];
    const text = JSON.stringify(files);
    expect(text).not.toContain(manifest.commonplace.repository);
    const addresses = text.match(/https:\/\/github\.com\/[^"#]*/g) ?? [];
    expect(addresses.length).toBeGreaterThan(5);
    for (const address of addresses) expect(address).toMatch(/^https:\/\/github\.com\/someone\/library/);
    expect(serverJson(facts, bundle).name).toBe(publishedManifest(facts)['mcpName']);
  });
});

describe('The desktop bundle', () => {
  it('has a manifest that is valid for its format', () => {
    const { success, error } = MANIFEST_SCHEMAS['0.3'].safeParse(bundleManifest(facts));
    expect(error?.issues ?? []).toEqual([]);
    expect(success).toBe(true);
  });

  it("names the tools and prompts that the server has with the bundle's settings", async () => {
    const { tools, prompts } = bundleManifest(facts);
    const listed = (await client.listTools()).map(({ name, description }) => ({ name, description }));
    expect(tools).toEqual(listed);
    const offered = (await client.listPrompts()).map(({ name, description, arguments: given = [] }) => ({
      name,
      description,
      arguments: given.map((one) => one.name),
    }));
    expect(prompts.map(({ text: _text, ...prompt }) => prompt)).toEqual(offered);
  });

  it('passes on existing settings, each filled from a user setting', () => {
    const { server, user_config: asked } = bundleManifest(facts);
    const known = new Set([...Object.keys(settings.shape), 'data'].map((name) => environmentName(name as 'data')));
    const { env } = server.mcp_config;
    expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([]);
    const filled = Object.values(env).flatMap((value) => /^\$\{user_config\.(\w+)\}$/.exec(value)?.[1] ?? []);
    expect(filled.sort()).toEqual(Object.keys(asked).sort());
  });
});

describe('The registry entry', () => {
  it("is refused when it violates the registry's schema", () => {
    const entry = serverJson(facts, bundle);
    const refused = [
      { ...entry, name: 'no-namespace' },
      { ...entry, description: 'x'.repeat(101) },
      { ...entry, version: '^1.0.0' },
      { ...entry, version: 'latest' },
      { ...entry, packages: entry.packages.map(({ fileSha256: _sum, ...one }) => one) },
    ];
    expect(serverJsonSchema.safeParse(entry).success).toBe(true);
    expect(refused.map((one) => serverJsonSchema.safeParse(one).success)).toEqual(refused.map(() => false));
  });
});

describe('An install link', () => {
  it('has the command that starts this version', () => {
    const { cursor, vscode } = installLinks(facts);
    const start = startCommand(facts);
    const encoded = new URL(cursor).searchParams.get('config') ?? '';
    expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toEqual(start);
    expect(JSON.parse(new URL(vscode).searchParams.get('config') ?? '')).toEqual({ type: 'stdio', ...start });
    expect(start.args).toEqual(['-y', `commonplace-mcp@${manifest.version}`, 'stdio']);
  });
});
