import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { program } from '#contract/bundle/bundle-paths.ts';
import {
  bootFolder,
  bootstrapStatusFile,
  currentRelease,
  installedMark,
  nodeBinary,
} from '#contract/server-paths.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../appliance/bootstrap/${name}`, import.meta.url), 'utf8');
const unit = read('landfall-boot.service');
const bootstrap = read('bootstrap');
const unpack = read('unpack.py');

/** The bootstrap cannot import these names, so nothing else keeps the two in step. */
describe('the bootstrap and the program that it starts', () => {
  it('use the same file to mark the end of the first boot', () => {
    expect(unit).toContain(`\nConditionPathExists=!/${installedMark}\n`);
  });

  it('use the same folder for the scripts', () => {
    expect(unit).toContain(`\nExecStart=/bin/sh /${bootFolder}/bootstrap\n`);
    expect(bootstrap).toContain(`python3 -Bu ${bootFolder}/unpack.py\n`);
  });

  it('use the same paths for the release, Node and the program', () => {
    expect(bootstrap).toContain(`cd -P ${currentRelease}\n`);
    expect(bootstrap).toContain(`exec "$PWD/${nodeBinary}" "$PWD/${program}" first-boot\n`);
  });

  it('use the same status file', () => {
    expect(unpack).toContain(`'${bootstrapStatusFile}'`);
  });
});

describe('the unit', () => {
  it('retries after every failure except permanent ones', () => {
    expect(unit).toMatch(/^Restart=on-failure$/m);
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=78$/m);
    expect(unpack).toContain('exit(78)');
  });

  it('sets no time limit for the unit, because a download may take a day on a slow network', () => {
    expect(unit).toMatch(/^Type=oneshot$/m);
    expect(unit).not.toContain('Timeout');
  });
});
