import { existsSync } from 'node:fs';
import type { Host } from './assistant-host.ts';
import { findProgram, type Machine, pathsOf } from './machine.ts';

/**
 * The configuration file of a host: the first that is there, else the first whose folder is there, else the preferred
 * one.
 */
export function configPath(host: Host, machine: Machine): string {
  const files = host.files(machine);
  const { dirname } = pathsOf(machine);
  const [preferred = ''] = files;
  return files.find((path) => existsSync(path)) ?? files.find((path) => existsSync(dirname(path))) ?? preferred;
}

/** Whether the host seems to be installed: by its configuration, its application or its program on PATH. */
export function isInstalled(host: Host, machine: Machine): boolean {
  const { dirname } = pathsOf(machine);
  const folders = host.files(machine).map((path) => dirname(path));
  const traces = [
    ...host.files(machine),
    ...folders.filter((folder) => folder !== machine.home),
    ...(host.signs?.(machine) ?? []),
  ];
  return (
    traces.some((path) => existsSync(path)) ||
    (host.programs ?? []).some((name) => findProgram(machine, name) !== undefined)
  );
}
