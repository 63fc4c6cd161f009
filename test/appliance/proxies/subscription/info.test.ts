import { describe, expect, it } from 'vitest';
import { readSubscriptionInfo } from '#proxies/subscription/info.ts';

const read = (headers: Record<string, string>) =>
  readSubscriptionInfo({ header: (name) => headers[name] });

describe('the headers of a subscription', () => {
  it.each([
    ['', {}],
    ['upload=1;download=2', { upload: 1, download: 2 }],
    ['Upload=1; Download=2.5; total=1e9', { upload: 1, download: 2, total: 1_000_000_000 }],
    ['upload=-1; download=x; total=; expire=0', {}],
    ['expire=99999999999999999999', {}],
    ['constructor=1', {}],
  ])('subscription-userinfo: %s', (value, expected) => {
    expect(read({ 'subscription-userinfo': value })).toEqual(expected);
  });

  it.each([
    ['attachment; filename=my.yaml', 'my.yaml'],
    ['attachment; filename="my file.yaml"', 'my file.yaml'],
    [`attachment; filename=a.yaml; filename*=UTF-8''%E6%B8%AF`, '港'],
    [`attachment; filename*=UTF-8''%zz`, '%zz'],
    ['attachment; filename="\u001b[31mred"', 'red'],
  ])('content-disposition: %s', (value, expected) => {
    expect(read({ 'content-disposition': value }).name).toBe(expected);
  });

  it.each([
    ['24', 24],
    ['0', undefined],
    ['daily', undefined],
  ])('profile-update-interval: %s', (value, expected) => {
    expect(read({ 'profile-update-interval': value }).updateInterval).toBe(expected);
  });
});
