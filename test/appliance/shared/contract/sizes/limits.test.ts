import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serviceNames } from '#contract/component-names.ts';
import { describeLimits, limitsOf } from '#contract/sizes/limits.ts';
import { everything, stackInput } from '../../../stages/stack/stack-input.ts';

const GiB = 1024 ** 3;

describe('the limits of containers', () => {
  it('let a 7B-class model of 4.7 GB run on 4 cores and 8 GB (SPEC 8)', () => {
    expect(limitsOf({ memory: 8 * GiB, cpus: 4 }).engine.memory).toBeGreaterThan(5.5e9);
  });

  it('leave room for the UI and the proxy on 2 cores and 2 GB (SPEC 8)', () => {
    const { ui, tinyproxy, engine } = limitsOf({ memory: 2 * GiB, cpus: 2 });
    expect(ui.memory + tinyproxy.memory).toBeLessThan(1.5 * GiB);
    expect(engine.memory).toBeLessThan(1 * GiB);
  });

  it('leave one core free if there are more than two', () => {
    expect(limitsOf({ memory: 8 * GiB, cpus: 8 }).engine.cpus).toBe(7);
    expect(limitsOf({ memory: 8 * GiB, cpus: 2 }).engine.cpus).toBe(2);
  });

  it('never exceed the CPUs of a server or go below the minimum memory of Docker', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 512 * 1024 ** 2, max: 2 ** 42 }),
        fc.integer({ min: 1, max: 256 }),
        (memory, cpus) => {
          const limits = limitsOf({ memory, cpus });
          for (const name of serviceNames) {
            expect(limits[name].cpus).toBeLessThanOrEqual(cpus);
            expect(limits[name].memory).toBeGreaterThanOrEqual(6 * 1024 ** 2);
            expect(Number.isInteger(limits[name].memory)).toBe(true);
          }
        },
      ),
    );
  });

  it('give Ollama more memory on larger servers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2048 }), (gigabytes) => {
        const smaller = limitsOf({ memory: gigabytes * GiB, cpus: 4 }).engine.memory;
        const larger = limitsOf({ memory: (gigabytes + 1) * GiB, cpus: 4 }).engine.memory;
        expect(larger).toBeGreaterThanOrEqual(smaller);
        expect(smaller).toBeLessThan(Math.max(gigabytes * GiB, 513 * 1024 ** 2));
      }),
    );
  });
});

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
