import { expect, it } from 'vitest';
import { environmentName } from '../../src/settings/config.ts';
import { misspeltVariables } from '../../src/settings/misspelt-variables.ts';
import { secretSettings, settings } from '../../src/settings/settings.ts';

it.each([
  ['COMMONPLACE_WRKERS', 'COMMONPLACE_WORKERS'],
  ['COMMONPLACE_WROKERS', 'COMMONPLACE_WORKERS'],
  ['COMMONPLACE_DTA', 'COMMONPLACE_DATA'],
  ['COMMONPLACE_LOGLEVEL', 'COMMONPLACE_LOG_LEVEL'],
  ['COMMONPLACE_CLAUDE_KEY', 'COMMONPLACE_CLAUDE_API_KEY'],
  ['COMMONPLACE_CLAUDE_API_KEYFILE', 'COMMONPLACE_CLAUDE_API_KEY_FILE'],
  ['COMMONPLACE_PORT', 'COMMONPLACE_HTTP_PORT'],
  ['COMMONPLACE_EMBEDDER_MODEL', 'COMMONPLACE_EMBEDDING_MODEL'],
])('%s has no effect, and %s would', (given, meant) => {
  expect(misspeltVariables({ [given]: '2' })).toEqual([
    `${given} has no effect: there is no such setting. Did you mean ${meant}?`,
  ]);
});

it('there is no warning about settings, documented variables and those of others', () => {
  const names = Object.keys(settings.shape).map(environmentName);
  const files = [...secretSettings].map((name) => `${environmentName(name)}_FILE`);
  const others = ['COMMONPLACE_DATA', 'COMMONPLACE_TOKEN', 'COMMONPLACE_KEY', 'COMMONPLACE_URL', 'COMMONPLACE_NODE'];
  // What Kubernetes sets for a service of this name, and what a person may use for something else.
  const foreign = [
    'COMMONPLACE_SERVICE_HOST',
    'COMMONPLACE_PORT_7878_TCP_ADDR',
    'COMMONPLACE_HOME',
    'WRKERS',
    `COMMONPLACE_${'W'.repeat(200)}`,
  ];
  const environment = Object.fromEntries([...names, ...files, ...others, ...foreign].map((name) => [name, '1']));
  const service = { COMMONPLACE_PORT: 'tcp://10.96.0.12:7878' };
  expect(misspeltVariables({ ...environment, ...service, COMMONPLACE_WRKERS: '' })).toEqual([]);
});
