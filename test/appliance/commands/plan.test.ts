import { describe, expect, it } from 'vitest';
import { describePlan } from '../../../appliance/commands/plan.ts';

describe('landfall plan', () => {
  it('shows one line per stage and per pending action', () => {
    expect(
      describePlan([
        {
          name: 'users',
          title: 'users: a sudo user',
          todo: ['create the user ops', 'install 2 keys'],
          diff: [],
        },
        {
          name: 'ssh',
          title: 'ssh: keys only',
          todo: ['write /etc/x'],
          diff: [' \x1b[2J  same', '-old', '+new'],
        },
        {
          name: 'images',
          title: 'images: what runs',
          todo: [],
          diff: [],
          obstacle: 'there is no engine',
        },
        {
          name: 'stack',
          title: 'stack: all of it',
          todo: [],
          diff: [],
          obstacle: 'the stack lacks secrets',
          problems: [{ message: 'there is no KEY', hint: 'make one' }, { message: 'nor a lock' }],
          hint: 'Run it again.',
        },
      ]),
    ).toBe(` 1  users: a sudo user
      - create the user ops
      - install 2 keys
 2  ssh: keys only
      - write /etc/x
   same
-old
+new
 3  images: what runs
      ! not known yet: there is no engine
 4  stack: all of it
      ! not known yet: the stack lacks secrets
        there is no KEY (make one)
        nor a lock
        hint: Run it again.`);
  });
});
