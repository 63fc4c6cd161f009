import { describe, expect, it } from 'vitest';
import { renewalTime } from '../../../../appliance/server/certificates/pair.ts';

const day = 24 * 60 * 60 * 1000;
const renewedAfter = (days: number) => {
  const life = { validFromDate: new Date(0), validToDate: new Date(days * day) };
  return renewalTime(life).getTime() / day;
};

describe('the time to renew a certificate', () => {
  it('renews a certificate with a third of its life left', () => {
    expect([90, 45].map(renewedAfter)).toEqual([60, 30]);
  });

  it('renews a certificate with half of a short life left', () => {
    expect(renewedAfter(6)).toBe(3);
  });
});
