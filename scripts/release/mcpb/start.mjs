// Starts the server. A setting that was left empty arrives as an empty value, or as the name of its placeholder: both
// mean that it is not set.
for (const [name, value] of Object.entries(process.env)) {
  if (name.startsWith('COMMONPLACE_') && (value.trim() === '' || value.startsWith('${'))) delete process.env[name];
}
process.argv.splice(2, Infinity, 'stdio');
await import('./dist/main.js');
