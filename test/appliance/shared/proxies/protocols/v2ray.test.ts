import { describe, expect, it } from 'vitest';
import { uuidOf } from '#proxies/protocols/v2ray.ts';

describe('the identifier of a user', () => {
  it.each([
    // A test vector of Xray-core.
    ['example', 'feb54431-301b-52bb-a6dd-e1e93e81bb9e'],
    ['0B5A8D0C-0F5E-4A4E-9E5C-2C6D1F6A7B8C', '0b5a8d0c-0f5e-4a4e-9e5c-2c6d1f6a7b8c'],
    ['0b5a8d0c0f5e4a4e9e5c2c6d1f6a7b8c', '0b5a8d0c-0f5e-4a4e-9e5c-2c6d1f6a7b8c'],
  ])('converts the identifier of a user like Xray: %s', (text, uuid) => {
    expect(uuidOf(text)).toBe(uuid);
  });
});
