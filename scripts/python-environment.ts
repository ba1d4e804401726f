import { spawn } from 'node:child_process';

/**
 * Makes an environment of Python with these packages: `folder/bin/python` has them. Nothing is compiled ahead, and the pip of the machine installs them,
 * because compiling and installing another pip take longer than a check that runs once.
 * @throws Error when Python 3.10 with `venv` and pip 22.3 are missing, or a package cannot be had
 */
export async function createPythonEnvironment(folder: string, packages: readonly string[]): Promise<void> {
  await runPython(['-m', 'venv', '--without-pip', folder]);
  await installIn(folder, packages);
}

/** @param packages names with versions, or paths of wheels */
export async function installIn(folder: string, packages: readonly string[]): Promise<void> {
  const flags = ['--quiet', '--disable-pip-version-check', '--no-compile'];
  await runPython(['-m', 'pip', '--python', folder, 'install', ...flags, ...packages]);
}

async function runPython(args: readonly string[]): Promise<void> {
  process.stdout.write(`python3 ${args.join(' ')}\n`);
  const child = spawn('python3', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0)
    throw new Error(
      `python3 ${args.slice(0, 3).join(' ')} ended with ${String(code)}. It needs Python 3.10 with venv and pip 22.3, and PyPI.`,
    );
}
