/*
 * Tries `commonplace setup` on real hosts: installs those that come from npm into a temporary folder, sets each up in an
 * empty home folder, and lets it list its servers and call a tool, asked by a model that is played on 127.0.0.1.
 *
 *   npm run test:hosts                    all of them
 *   npm run test:hosts -- codex gemini    some
 *   npm run test:hosts -- --keep          keeps the temporary folder, with what each said and asked for
 *   npm run test:hosts -- --installed <folder>   uses hosts that are in <folder>/<id>/node_modules already
 *
 * Outside of the gate: hosts change every week, and installing them needs the registry.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { builtProgram } from '../../support/mcp.ts';
import { type FakeModel, lastWords, startFakeModel } from './fake-model.ts';
import { type PlayedHost, playedHosts } from './played-hosts.ts';

interface Said {
  code: number;
  text: string;
}

/** Longest wait for one command of a host. */
const maxCommandMs = 120_000;

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Said> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { cwd, env, timeout: maxCommandMs, killSignal: 'SIGKILL', maxBuffer: 16 << 20 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, text: `${stdout}\n${stderr}` });
      },
    );
    child.stdin?.end();
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean' }, installed: { type: 'string' } },
});
const root = mkdtempSync(join(tmpdir(), 'commonplace-hosts-'));
const say = (line: string) => process.stdout.write(`${line}\n`);
const failures: string[] = [];
const wanted = playedHosts.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
try {
  for (const host of wanted) {
    const model = await startFakeModel((name) => /(?:^|_)list_goals$/.test(name));
    try {
      await tryHost(host, model);
    } finally {
      writeFileSync(join(root, `${host.id}.requests.json`), JSON.stringify(model.seen.bodies, null, 1));
      await model.close();
    }
  }
} finally {
  if (values.keep === true) say(`Kept: ${root}`);
  else rmSync(root, { recursive: true, force: true });
}
if (failures.length > 0) say(`\nNot as expected:\n${failures.map((failure) => `- ${failure}`).join('\n')}`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function tryHost(host: PlayedHost, model: FakeModel): Promise<void> {
  const program = await install(host);
  if (program === null) return;
  const home = join(root, host.id, 'home');
  const work = join(home, 'work');
  mkdirSync(work, { recursive: true });
  host.prepare?.(home, work, model.url);
  const environment = { HOME: home, PATH: process.env['PATH'], TERM: 'dumb', ...host.environment(model.url) };
  const version = (await run(program, ['--version'], work, environment)).text.trim().split('\n')[0] ?? '';
  say(`\n${host.id} ${version}`);

  const setup = await run(process.execPath, [builtProgram, 'setup', '--host', host.id, '--yes'], work, environment);
  check(host, 'setup', setup.code === 0 && setup.text.includes('It works'), setup.text);
  const goal = ['goal', 'add', 'Play a host', '--category', 'Health'];
  const added = await run(process.execPath, [builtProgram, ...goal], work, environment);
  check(host, 'a goal to find', added.code === 0, added.text);
  const listed = await run(program, host.list, work, environment);
  check(host, `${host.program} ${host.list.join(' ')}`, host.listed.test(listed.text), listed.text);
  const asked = await run(program, host.ask('Which goals do I have?'), work, environment);
  const { tools, unknown } = model.seen;
  const ours = [...tools].filter((name) => /search|list_goals|save_content/.test(name));
  check(host, `sees our tools (${[...tools].length} tools in all: ${ours.join(', ')})`, ours.length >= 3, asked.text);
  check(
    host,
    'calls one and hands its answer to the model',
    hasAnswer(model),
    `${asked.text}\nanswer: ${model.seen.result ?? 'none'}`,
  );
  check(host, "prints the model's last words", asked.text.includes(lastWords), asked.text);
  await tryRemote(host, program, work, environment, model);
  if (unknown.size > 0) say(`  (asked the played model for ${[...unknown].join(', ')}, too)`);
}

/** Serves the same library over HTTP, and lets the host find it there by its token. */
async function tryRemote(
  host: PlayedHost,
  program: string,
  work: string,
  environment: NodeJS.ProcessEnv,
  model: FakeModel,
): Promise<void> {
  const created = await run(process.execPath, [builtProgram, 'token', 'create', 'host', '--json'], work, environment);
  const { token } = JSON.parse(created.text.slice(0, created.text.lastIndexOf('}') + 1)) as { token: string };
  const server = execFile(process.execPath, [builtProgram, 'serve', '--port', '0'], { cwd: work, env: environment });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      server.on('close', () => reject(new Error(`the server ended: ${said}`)));
      for (const stream of [server.stdout, server.stderr])
        stream?.on('data', (text: string) => {
          said += text;
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
          if (found !== undefined) resolve(`${found}/mcp`);
        });
    });
    const flags = ['--host', host.id, '--yes', '--remote', url, '--token', token];
    const setup = await run(process.execPath, [builtProgram, 'setup', ...flags], work, environment);
    check(host, 'setup --remote', setup.code === 0 && setup.text.includes('It works'), setup.text);
    const listed = await run(program, host.list, work, environment);
    check(
      host,
      `${host.program} ${host.list.join(' ')} finds it there`,
      (host.listedRemote ?? host.listed).test(listed.text),
      listed.text,
    );
    model.seen.result = null;
    const asked = await run(program, host.ask('Which goals do I have?'), work, environment);
    check(host, 'calls a tool there', hasAnswer(model), asked.text);
  } finally {
    server.removeAllListeners('close').kill();
  }
}

/** Whether the host handed our tool's answer to its model. */
function hasAnswer({ seen }: FakeModel): boolean {
  return seen.result?.includes('Play a host') === true;
}

function check(host: PlayedHost, what: string, isTrue: boolean, output: string): void {
  say(`  ${isTrue ? '✓' : '✗'} ${what}`);
  if (isTrue) return;
  failures.push(`${host.id}: ${what}`);
  say(
    output
      .trim()
      .split('\n')
      .slice(-25)
      .map((line) => `      ${line}`)
      .join('\n'),
  );
}

/** Installs the host; null when the registry or the platform does not have it. */
async function install(host: PlayedHost): Promise<string | null> {
  const folder = values.installed === undefined ? join(root, host.id, 'installed') : join(values.installed, host.id);
  const program = join(folder, 'node_modules', '.bin', host.program);
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const installed = await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--loglevel=error', host.package],
      folder,
      process.env,
    );
    if (installed.code !== 0 || !existsSync(program)) {
      check(host, `npm install ${host.package}`, false, installed.text);
      return null;
    }
  }
  return program;
}
