import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { readSubject } from '../../../appliance/doctor/subject.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

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
        text: '/etc/landfall/site.json is not a valid site',
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
