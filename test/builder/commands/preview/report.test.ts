import { expect, it } from 'vitest';
import { browserCommand } from '../../../../builder/commands/preview/report.ts';

it.each([
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', {}, undefined],
  ['darwin', {}, ['open']],
] as const)('the command that opens a URL on %s with %j is %j', (platform, env, command) => {
  expect(browserCommand(platform, env)).toEqual(command);
});
