// Runs before `npm publish` in the repository's own folder, whose manifest names everything that the build joins.
process.stderr.write(
  'Publish the package that `npm run release` makes: npm publish release/commonplace-mcp-<version>.tgz\n',
);
process.exitCode = 1;
