import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentName, loadConfig } from '../../../src/settings/config.ts';
import { databaseName, databaseRole } from '../../../src/domain/links/configured-addresses.ts';
import { secretSettings, type SettingName, settings } from '../../../src/settings/settings.ts';

/* The example of servers on one database. */

interface Service {
  environment?: Record<string, string>;
  secrets?: string[];
  command?: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
}

const read = (name: string) => readFileSync(join('deploy', 'postgres', name), 'utf8');
const { services, secrets } = parse(read('compose.yaml'), { merge: true }) as Compose;
const ours = ['node-1', 'node-2', 'migrate'].map((name) => services[name]!);

describe('deploy/postgres', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'commonplace-deploy-'));
    cpSync('deploy/postgres/make-secrets.sh', join(folder, 'make-secrets.sh'));
    execFileSync('sh', [join(folder, 'make-secrets.sh')]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('uses only existing settings, and passes secrets as files', () => {
    const names = Object.keys(settings.shape) as SettingName[];
    const plain = names.filter((name) => !secretSettings.has(name)).map(environmentName);
    const files = [...secretSettings].map((name) => `${environmentName(name)}_FILE`);
    for (const { environment = {}, secrets: given = [] } of ours) {
      expect(Object.keys(environment).filter((name) => ![...plain, ...files].includes(name))).toEqual([]);
      const handedOver = Object.entries(environment).filter(([name]) => files.includes(name));
      const paths = given.map((secret) => `/run/secrets/${secret}`);
      expect(handedOver.map(([, path]) => path).toSorted()).toEqual(paths.toSorted());
      const rest = Object.entries(environment).filter(([name]) => !files.includes(name));
      const values = rest.map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]);
      expect(() => loadConfig({}, { ...Object.fromEntries(values), COMMONPLACE_DATA: folder })).not.toThrow();
    }
  });

  it('lets servers finish, and migrates before they start', () => {
    for (const { environment, stop_grace_period: grace, depends_on: after } of ours.slice(0, 2)) {
      expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThan(
        Number(environment?.['COMMONPLACE_SHUTDOWN_GRACE_SECONDS']),
      );
      expect(after?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
    }
    expect(services['migrate']!.command).toEqual(['migrate']);
  });

  it('creates the secrets that it names: servers use the pooler as a plain role, the migration connects as the owner', () => {
    const made = readdirSync(join(folder, 'secrets'));
    expect(
      Object.values(secrets)
        .map(({ file }) => file.replace('secrets/', ''))
        .toSorted(),
    ).toEqual(made.filter((name) => Object.values(secrets).some(({ file }) => file === `secrets/${name}`)).toSorted());
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    expect(used.filter((name) => secrets[name] === undefined)).toEqual([]);
    const config = loadConfig(
      {},
      {
        COMMONPLACE_DATA: folder,
        COMMONPLACE_DATABASE_URL_FILE: join(folder, 'secrets', 'database-url'),
        COMMONPLACE_DATABASE_OWNER_URL_FILE: join(folder, 'secrets', 'database-owner-url'),
      },
    );
    expect(databaseName(config.databaseUrl)).toBe('pooler:6432/commonplace');
    expect(databaseName(config.databaseOwnerUrl)).toBe('database:5432/commonplace');
    expect([databaseRole(config.databaseUrl), databaseRole(config.databaseOwnerUrl)]).toEqual(['app', 'owner']);
    for (const role of ['app', 'owner'])
      expect(read('make-roles.sh')).toContain(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOBYPASSRLS`);
    expect(read('pgbouncer.ini')).toContain('pool_mode = transaction');
  });
});
