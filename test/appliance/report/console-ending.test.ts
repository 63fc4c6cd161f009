import { describe, expect, it } from 'vitest';
import { consoleEnding } from '../../../appliance/report/console-ending.ts';
import { goodReport } from './fixture.ts';

describe('consoleEnding', () => {
  it('shows the address, both logins and the command for the password', () => {
    expect(consoleEnding(goodReport)).toEqual([
      '',
      'landfall 1.2.0 is ready.',
      'Open:        https://chat.example.com/  (chat UI)',
      'Sign in as:  me@example.com',
      'Password:    sudo landfall credentials  (after the login)',
      'Log in:      ssh ops@203.0.113.5',
      '',
    ]);
  });

  it('shows a tunnel on a server without a public page', () => {
    expect(consoleEnding({ ...goodReport, urls: [] })).toContain(
      'Open:        http://127.0.0.1:8888/, with ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5',
    );
  });
});
