import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { inBoth } from '#contract/text/language.ts';
import type { Check } from '../../../../appliance/operations/doctor/finding.ts';
import {
  findingsOf,
  readSubject,
  runChecks,
} from '../../../../appliance/operations/doctor/run-checks.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { english } from './look.ts';

const host = TemporaryHost.with({});
const check = (name: string, run: () => Promise<never[]>, root = false): Check => ({
  ...{ name, root, needs: 'server' },
  run,
});
const fine = async () => [];
const run = (checks: Check[], given: { isRoot?: boolean; site?: boolean } = {}, seconds = 60) => {
  const { isRoot = true, site = true } = given;
  return runChecks(checks, { host, isRoot, context: site ? contextFor(host) : undefined }, seconds);
};

describe('the runner of checks', () => {
  it('runs them concurrently and returns the results in their order', async () => {
    const first = Promise.withResolvers<never[]>();
    const ended: string[] = [];
    const checks = [
      check('waits', () => first.promise),
      check('releases', async () => {
        first.resolve([]);
        return [];
      }),
    ];
    const subject = { host, isRoot: true, context: undefined };
    const results = await runChecks(checks, subject, 60, (name) => ended.push(name));
    expect(results.map(({ name }) => name)).toEqual(['waits', 'releases']);
    expect(ended.toSorted()).toEqual(['releases', 'waits']);
  });

  it('reports a check that hangs, and ends', async () => {
    const [hung, other] = await run(
      [check('hangs', () => new Promise(() => {})), check('fine', fine)],
      {},
      0.05,
    );
    expect(hung?.findings).toMatchObject([
      {
        code: 'CHECK_TIMED_OUT',
        subject: 'hangs',
        text: english(expect.stringContaining('0.1 s')),
      },
    ]);
    expect(other).toEqual({ name: 'fine', findings: [] });
  });

  it('reports a check that fails, with the details of its error', async () => {
    const error = new LandfallError('COMMAND_FAILED', 'docker ps exited with code 1', {
      problems: [{ message: 'permission denied' }],
      hint: 'Start Docker.',
    });
    const [result] = await run([check('docker', () => Promise.reject(error))]);
    expect(result?.findings).toEqual([
      {
        code: 'CHECK_FAILED',
        subject: 'docker',
        text: english('the check docker failed: docker ps exited with code 1'),
        details: ['permission denied', 'Start Docker.'],
      },
    ]);
  });

  it('skips what must be run as root, and what needs an unreadable site', async () => {
    const needsSite: Check = { name: 'site', root: false, needs: 'site', run: fine };
    const results = await run([check('root', fine, true), needsSite, check('any', fine)], {
      isRoot: false,
      site: false,
    });
    expect(results.map(({ skipped }) => skipped?.en)).toEqual([
      'must be run as root',
      'the site is unreadable',
      undefined,
    ]);
  });

  it('sorts findings by urgency, not by check', () => {
    const finding = (code: 'STAGE_PENDING' | 'DOCKER_DOWN') => ({
      code,
      subject: 'x',
      text: inBoth('x'),
    });
    const results = [
      { name: 'a', findings: [finding('STAGE_PENDING')] },
      { name: 'b', findings: [finding('DOCKER_DOWN')] },
    ];
    expect(findingsOf(results).map(({ code }) => code)).toEqual(['DOCKER_DOWN', 'STAGE_PENDING']);
  });
});

describe('what is known about a server', () => {
  it('reads the site and the release of a server', async () => {
    const { report: _, ...facts } = contextFor(TemporaryHost.with({}));
    expect((await readSubject(async () => facts)).context).toMatchObject({ site: facts.site });
  });

  it('returns a finding if the site is invalid', async () => {
    const error = new LandfallError(
      'STATE_INVALID',
      '/etc/landfall/site.json is not a valid site',
      {
        problems: [{ message: 'tls.mode: unknown value' }],
      },
    );
    expect(await readSubject(() => Promise.reject(error))).toEqual({
      finding: {
        code: 'SITE_INVALID',
        subject: 'site',
        text: english('/etc/landfall/site.json is not a valid site'),
        details: ['tls.mode: unknown value'],
      },
    });
  });

  it('returns nothing about a server without the permission to read it', async () => {
    const error = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    expect(await readSubject(() => Promise.reject(error))).toEqual({});
  });

  it('remains an error outside of a server', async () => {
    const error = new LandfallError('USAGE', 'not part of an installed release');
    await expect(readSubject(() => Promise.reject(error))).rejects.toBe(error);
  });
});
