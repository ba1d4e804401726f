// Ends with an error unless the tag, the version and the release settings in package.json fit each other:
//   node scripts/release/check-tag.ts v1.2.3 owner/name
import { readFileSync } from 'node:fs';

interface Manifest {
  version: string;
  commonplace: { published: boolean; repository: string };
}
const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Manifest;

const [tag = '', repository = ''] = process.argv.slice(2);
const { version, commonplace } = read('package.json');
const faults = [
  tag !== `v${version}` && `the tag is ${tag}, the version in package.json ${version}`,
  read('package-lock.json').version !== version && 'package-lock.json has another version than package.json',
  commonplace.repository !== repository &&
    `package.json names the repository ${commonplace.repository}, this is ${repository}`,
  !commonplace.published && 'package.json does not say that the package is published (commonplace.published)',
].filter((fault) => fault !== false);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
