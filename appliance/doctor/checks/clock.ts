import { checkClock, describeClock } from '../../preflight/clock.ts';
import type { Check } from '../finding.ts';

/** Reports a wrong clock, which makes TLS reject valid certificates. */
export const clockCheck: Check = {
  name: 'clock',
  root: false,
  needs: 'site',
  run: async (context) => {
    const [problems, todo] = await Promise.all([checkClock(context), describeClock(context)]);
    const texts = [
      ...problems.map(({ message }) => message),
      ...todo.map((line) => `the clock is wrong: a first boot would ${line}`),
    ];
    return texts.map((text) => ({ code: 'CLOCK_WRONG', subject: 'clock', text }));
  },
};
