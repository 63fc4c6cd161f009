import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExempt } from '#http/no-proxy.ts';

const exempt = (url: string, noProxy: string) => isExempt(new URL(url), noProxy);

describe('NO_PROXY', () => {
  it.each([
    ['http://a.example/', 'a.example'],
    ['http://A.Example/', 'a.EXAMPLE'],
    ['http://a.example./', 'a.example'],
    ['http://a.example/', 'a.example.'],
    ['http://sub.a.example/', 'a.example'],
    ['http://sub.a.example/', '.a.example'],
    ['http://sub.a.example/', '*.a.example'],
    ['http://deep.sub.a.example/', '.a.example'],
    ['http://a.example/', 'x, a.example ,y'],
    ['http://a.example/', 'x a.example\ty'],
    ['http://a.example/', '*'],
    ['http://10.1.2.3/', '*'],
    ['http://10.1.2.3/', '10.1.2.3'],
    ['http://10.1.2.3/', '10.0.0.0/8'],
    ['http://10.1.2.3/', '0.0.0.0/0'],
    ['http://[fd00::1]/', 'fd00::1'],
    ['http://[fd00::1]/', '[fd00::1]'],
    ['http://[fd00::1]/', 'FD00:0::1'],
    ['http://[fd00::1]/', 'fd00::/8'],
    ['http://a.example:5000/', 'a.example:5000'],
    ['http://[fd00::1]:5000/', '[fd00::1]:5000'],
    ['https://a.example/', 'a.example:443'],
    ['http://a.example/', 'a.example:80'],
  ])('exempts %s by %j', (url, noProxy) => {
    expect(exempt(url, noProxy)).toBe(true);
  });

  it.each([
    ['http://a.example/', ''],
    ['http://a.example/', ' , ,'],
    ['http://a.example/', '.a.example'],
    ['http://a.example/', '*.a.example'],
    ['http://nota.example/', 'a.example'],
    ['http://a.example.evil/', 'a.example'],
    ['http://a.example/', 'sub.a.example'],
    ['http://a.example/', '.'],
    ['http://a.example/', '*.'],
    ['http://a.example/', 'a.*'],
    ['http://10.1.2.3/', '10.1.2.4'],
    ['http://10.1.2.3/', '10.1.2'],
    ['http://10.1.2.3/', '2.3'],
    ['http://10.1.2.3/', '11.0.0.0/8'],
    ['http://10.1.2.3/', '10.0.0.0/33'],
    ['http://10.1.2.3/', '10.0.0.0/'],
    ['http://10.1.2.3/', '/8'],
    ['http://10.1.2.3/', 'fd00::/8'],
    ['http://a.example/', '10.0.0.0/8'],
    ['http://[fd00::1]/', 'fd00::2'],
    ['http://a.example:5000/', 'a.example:5001'],
    ['http://a.example/', 'a.example:443'],
  ])('does not exempt %s by %j', (url, noProxy) => {
    expect(exempt(url, noProxy)).toBe(false);
  });
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const name = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const address = fc.ipV4().map((text) => new URL(`http://${text}/`).hostname);
const host = fc.oneof(name, address);

describe('any NO_PROXY', () => {
  it('accepts any text', () => {
    fc.assert(
      fc.property(host, fc.string(), (target, junk) => {
        expect(typeof exempt(`http://${target}/`, junk)).toBe('boolean');
      }),
    );
  });

  it('exempts a listed host at any position', () => {
    fc.assert(
      fc.property(host, fc.array(name), fc.array(name), (target, before, after) => {
        expect(exempt(`http://${target}/`, [...before, target, ...after].join(','))).toBe(true);
      }),
    );
  });

  it('exempts subdomains of a listed name and of its suffix', () => {
    fc.assert(
      fc.property(label, name, (sub, parent) => {
        expect(exempt(`http://${sub}.${parent}/`, parent)).toBe(true);
        expect(exempt(`http://${sub}.${parent}/`, `.${parent}`)).toBe(true);
      }),
    );
  });

  it('exempts only names that end in a listed name', () => {
    fc.assert(
      fc.property(name, fc.array(name), (target, listed) => {
        const expected = listed.some((entry) => `.${target}`.endsWith(`.${entry}`));
        expect(exempt(`http://${target}/`, listed.join(' '))).toBe(expected);
      }),
    );
  });

  it('exempts an address by a prefix exactly if the leading bits are equal', () => {
    const bitsOf = (text: string) =>
      text
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('');
    fc.assert(
      fc.property(address, address, fc.nat(32), (target, network, length) => {
        const expected = bitsOf(target).slice(0, length) === bitsOf(network).slice(0, length);
        expect(exempt(`http://${target}/`, `${network}/${length}`)).toBe(expected);
      }),
    );
  });
});
