import { expect, it } from 'vitest';
import { backupTimers } from '../../../../appliance/server/timers/backups.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const timersOf = (site: Readonly<Record<string, unknown>>) => {
  const service = backupTimers(contextFor(TemporaryHost.with({}), { site }).site);
  return { ...service, text: service.files?.map(({ text }) => text).join('') };
};

it.each([
  ['03:10', '*-*-* 03:10:00', '*-*-01 05:10:00'],
  ['23:45', '*-*-* 23:45:00', '*-*-01 01:45:00'],
])('tests a restore monthly, two hours after the backup at %s', (at, daily, monthly) => {
  const { text, unwanted } = timersOf({ backup: { to: [{ kind: 'folder', path: '/b' }], at } });
  expect(text).toContain(`OnCalendar=${daily}\n`);
  expect(text).toContain(`OnCalendar=${monthly}\n`);
  expect(unwanted).toBeUndefined();
});

it('removes the timers from a site without backups', () => {
  expect(timersOf({}).unwanted?.en).toBe('stop making backups');
});
