import { describe, expect, it } from 'vitest';
import { renderGreeting } from '../../../appliance/report/greeting.ts';
import { warningOf } from '../stage/warning-of.ts';
import { certificateOf, goodReport } from './fixture.ts';

const missing = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `model-${index}:8b`,
    size: null,
    present: false,
  }));

describe('the greeting of a server that was brought up', () => {
  it('is short, and says what is still to be done', () => {
    expect(renderGreeting({ ...goodReport, models: missing(1) })).toBe(`
  landfall 1.2.0 is installed here.
  https://chat.example.com/  (chat UI)
  Is all up?    landfall status
  Passwords:    sudo landfall credentials
  The report:   landfall report

  What to do next:
    make the DNS entries that landfall report shows, unless they are there
    fetch a model: sudo landfall models pull model-0:8b
    browsers warn of the certificate: landfall report says why
    read 1 warning: landfall report

`);
  });

  it('has nothing to do where nothing is left', () => {
    const certificate = { ...certificateOf(goodReport), own: false, acme: true, trusted: true };
    const text = renderGreeting({ ...goodReport, certificate, warnings: [] });
    expect(text).not.toContain('next');
    expect(text).toMatch(/The report: +landfall report\n\n$/);
  });

  it('fits a console, however much there is', () => {
    const urls = Array.from({ length: 9 }, (_, index) => ({ part: 'p', url: `https://${index}/` }));
    const warnings = [warningOf('one'), warningOf('two')];
    const text = renderGreeting({ ...goodReport, urls, warnings, models: missing(30) });
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(20);
    for (const line of lines) expect(line.length).toBeLessThan(80);
    expect(text).toContain('and 29 more: landfall report');
  });
});
