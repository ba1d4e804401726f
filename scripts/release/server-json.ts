import { z } from 'zod';
import { bundleEnvironment, manifest, title, type Facts } from './facts.ts';

/*
 * The entry in the MCP registry. The constraints are those of its schema of 2025-12-11:
 * https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
const schemaAddress = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/i);
const input = z.strictObject({
  name: z.string().min(1),
  description: z.string().optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
});
const packageEntry = z
  .strictObject({
    registryType: z.enum(['npm', 'mcpb']),
    registryBaseUrl: z.url().optional(),
    identifier: z.string().min(1),
    version: exactVersion,
    fileSha256: z
      .string()
      .regex(/^[a-f0-9]{64}$/)
      .optional(),
    runtimeHint: z.string().optional(),
    transport: z.strictObject({ type: z.literal('stdio') }),
    packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })).optional(),
    environmentVariables: z.array(input).optional(),
  })
  .refine(({ registryType, fileSha256 }) => registryType !== 'mcpb' || fileSha256 !== undefined, {
    message: 'an mcpb package needs the checksum of its file',
  });

export const serverJsonSchema = z.strictObject({
  $schema: z.literal(schemaAddress),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: exactVersion,
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.array(packageEntry).min(1),
});
export type ServerJson = z.infer<typeof serverJsonSchema>;

/** @param bundle the packed bundle's file name and the SHA-256 of its bytes */
export function serverJson(facts: Facts, bundle: { file: string; sha256: string }): ServerJson {
  const { version } = facts;
  const transport = { type: 'stdio' } as const;
  return serverJsonSchema.parse({
    $schema: schemaAddress,
    name: facts.mcpName,
    title,
    description: 'Everything you saved, searchable: passages with links that open the source at that place.',
    version,
    websiteUrl: `${facts.homepage}#readme`,
    repository: { url: facts.homepage, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: manifest.name,
        version,
        runtimeHint: 'npx',
        transport,
        packageArguments: [{ type: 'positional', value: 'stdio' }],
        environmentVariables: [
          {
            name: 'COMMONPLACE_DATA',
            description: 'Folder that holds everything. Default: the folder for user data of the system.',
            format: 'filepath',
          },
          {
            name: 'COMMONPLACE_CLAUDE_API_KEY',
            description: 'Key of the Claude API: with it, saved items are summarised by Claude.',
            isSecret: true,
          },
          ...Object.entries(bundleEnvironment).map(([name, value]) => ({
            name,
            description: 'Shows the tools with which the assistant analyses saved items itself.',
            format: 'boolean',
            default: value,
          })),
        ],
      },
      {
        registryType: 'mcpb',
        identifier: `${facts.downloads}/${bundle.file}`,
        version,
        fileSha256: bundle.sha256,
        transport,
      },
    ],
  });
}
