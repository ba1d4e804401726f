import { z } from 'zod';

/** The text is never in an error: it holds a password. */
const databaseAddress = z
  .string()
  .refine(
    (text) => text === '' || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)),
    'must be an address such as postgres://role:password@host/database, with special characters of the password percent-encoded',
  )
  .default('');

/** Where records, originals and backups are, and how long changes can be undone. */
export const storageSettings = {
  synchronous: z
    .enum(['normal', 'full'])
    .default('normal')
    .describe(
      'When an acknowledged save is safe from a power cut: at once (full), or some seconds later (normal), which is faster. A program that is killed loses nothing either way.',
    ),
  historyDays: z
    .int()
    .min(0)
    .max(3_650)
    .default(30)
    .describe('How long changes can be undone, in days that this machine was on. 0: no history is kept.'),
  databaseUrl: databaseAddress.describe(
    'Address of a PostgreSQL database that several servers share, instead of a library in the data folder: postgres://role:password@host/database. Not a flag: command lines are public.',
  ),
  databaseOwnerUrl: databaseAddress.describe(
    'Address of that database for the role that owns its tables. Only `commonplace migrate` needs it; servers must not have it.',
  ),
  databaseConnections: z
    .int()
    .min(2)
    .max(200)
    .default(8)
    .describe('Connections of one server to that database, at most. One more listens for work of the other servers.'),
  objectStoreUrl: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Bucket of an S3-compatible server for large originals, beside databaseUrl: https://key-id:secret@host/bucket/prefix?region=…. Empty: they stay in the database. Not a flag: command lines are public.',
    ),
  backupTo: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Folder into which `serve` writes a backup once a day; the newest of seven days, four weeks and twelve months stay. Empty: it writes none.',
    ),
};
