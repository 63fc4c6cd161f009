import { describe, expect, it } from 'vitest';
import { describeLimits } from '../../../appliance/stack/describe-limits.ts';
import { everything, stackInput } from './stack-input.ts';

const server = { memory: 8 * 1024 ** 3, cpus: 4 };

describe('the limits in a plan', () => {
  it('prints a line with the limits of each enabled component', () => {
    expect(describeLimits(stackInput({}).site, server)).toBe(
      [
        'Maximum resources of each container (not reserved):',
        '    engine     6536 MiB  3 CPUs  1024 processes',
        '    ui         2048 MiB  2 CPUs  512 processes',
        '    tinyproxy    64 MiB  1 CPU   128 processes',
        '    gateway     256 MiB  1 CPU   64 processes',
        '    acme        256 MiB  1 CPU   64 processes',
      ].join('\n'),
    );
  });

  it('include optional components of the site', () => {
    const text = describeLimits(stackInput(everything).site, server);
    for (const name of ['chat', 'lobe', 'relay']) expect(text).toContain(`    ${name} `);
  });
});
