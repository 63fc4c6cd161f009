import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * systemctl.ts <root> <argument>...
 *
 * A stand-in for systemctl(1) in a network namespace without systemd. It runs the commands of the unit
 * files of Landfall below a root folder, with their drop-ins, and keeps what is active in `run/units`.
 * It does not apply sandboxing, dependencies, or Restart=.
 */

const [root = '/', ...args] = process.argv.slice(2);
const [verb = '', ...rest] = args.filter((arg) => arg !== '--no-block');
const units = rest.filter((arg) => !arg.startsWith('-'));
const folder = 'etc/systemd/system';
const client = 'landfall-client@active.service';

switch (verb) {
  case 'daemon-reload':
    break;
  case 'enable':
    for (const unit of units) write(linkOf(unit), '');
    break;
  case 'disable':
    for (const unit of units) rmSync(at(linkOf(unit)), { force: true });
    if (rest.includes('--now')) units.forEach(stop);
    break;
  case 'is-enabled':
    process.exitCode = units.every((unit) => existsSync(at(linkOf(unit)))) ? 0 : 1;
    break;
  case 'is-active':
    process.exitCode = units.every(isActive) ? 0 : 3;
    break;
  case 'start':
    for (const unit of units) if (!isActive(unit)) start(unit);
    break;
  case 'stop':
    units.forEach(stop);
    break;
  case 'restart':
    for (const unit of units) {
      stop(unit);
      start(unit);
    }
    break;
  case 'try-restart':
    for (const unit of units.filter(isActive)) {
      stop(unit);
      start(unit);
    }
    break;
  case 'reload':
    for (const unit of units.filter(isActive)) commandsOf(unit, 'ExecReload').forEach(run);
    break;
  case 'reload-or-restart':
    for (const unit of units) {
      if (isActive(unit)) commandsOf(unit, 'ExecReload').forEach(run);
      else start(unit);
    }
    break;
  default:
    throw new Error(`the stand-in of systemctl has no ${verb}`);
}

function start(unit: string): void {
  const credentials = at(`run/credentials/${unit}`);
  for (const line of commandsOf(unit, 'LoadCredential')) {
    const [name = '', path = ''] = line.split(':');
    write(`run/credentials/${unit}/${name}`, readFileSync(at(path), 'utf8'));
  }
  process.env.CREDENTIALS_DIRECTORY = credentials;
  commandsOf(unit, 'ExecStartPre').forEach(run);
  const isService = unit.startsWith('landfall-client@');
  for (const line of commandsOf(unit, 'ExecStart')) {
    if (!isService) run(line);
    else write(`run/units/${unit}`, `${spawnDetached(line)}`);
  }
  if (!isService) write(`run/units/${unit}`, 'active');
}

function stop(unit: string): void {
  if (!isActive(unit)) return;
  const pid = Number(readFileSync(at(`run/units/${unit}`), 'utf8'));
  if (pid > 0) {
    process.kill(pid, 'SIGTERM');
    while (isRunning(pid)) execFileSync('sleep', ['0.05']);
  } else if (existsSync(at(`${folder}/${unit}`))) commandsOf(unit, 'ExecStop').forEach(run);
  rmSync(at(`run/units/${unit}`));
}

function isActive(unit: string): boolean {
  if (!existsSync(at(`run/units/${unit}`))) return false;
  const pid = Number(readFileSync(at(`run/units/${unit}`), 'utf8'));
  return !(pid > 0) || isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Returns the values of a setting, in the unit and its drop-ins. An empty value removes earlier ones. */
function commandsOf(unit: string, setting: string): string[] {
  const template = unit.replace(/@.*\.service$/, '@.service');
  const instance = /@(.*)\.service$/.exec(unit)?.[1] ?? '';
  const dropIns = `${folder}/${template}.d`;
  const files = existsSync(at(dropIns))
    ? readdirSync(at(dropIns))
        .sort()
        .map((name) => `${dropIns}/${name}`)
    : [];
  const values: string[] = [];
  for (const path of [`${folder}/${template}`, ...files]) {
    for (const line of readFileSync(at(path), 'utf8').split('\n')) {
      if (!line.startsWith(`${setting}=`)) continue;
      const value = line.slice(setting.length + 1).replaceAll('%i', instance);
      if (value === '') values.length = 0;
      else values.push(value);
    }
  }
  return values;
}

function run(line: string): void {
  const [, prefixes = '', command = ''] = /^([-+]*)(.*)$/.exec(line) ?? [];
  try {
    execFileSync('/bin/sh', ['-c', below(command)], { stdio: 'inherit' });
  } catch {
    if (prefixes.includes('-')) return;
    console.error(`failed: ${command}`);
    process.exit(1);
  }
}

function spawnDetached(line: string): number {
  const child = spawn('/bin/sh', ['-c', `exec ${below(line)} >>${at('run/client.log')} 2>&1`], {
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  return child.pid ?? 0;
}

/** Replaces the absolute paths of Landfall's files. */
function below(command: string): string {
  return command
    .replaceAll('/run/landfall-client/sing-box', `${root}/opt/landfall/current/runtime/sing-box`)
    .replaceAll(/ \/(etc|opt)\//g, ` ${root}/$1/`)
    .replace(/^\/(etc|opt)\//, `${root}/$1/`);
}

function linkOf(unit: string): string {
  const target = unit === client ? 'multi-user.target' : 'sysinit.target';
  return `${folder}/${target}.wants/${unit}`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function at(path: string): string {
  return join(root, path);
}
