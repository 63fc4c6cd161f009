import { describe, expect, it } from 'vitest';
import { duration, readSettings } from './settings.ts';

describe('the settings of the stand-in for Ollama', () => {
  it.each([
    ['0.0.0.0', '0.0.0.0', 11434],
    ['127.0.0.1:8000', '127.0.0.1', 8000],
    [':9000', '0.0.0.0', 9000],
    ['"0.0.0.0:11434"', '0.0.0.0', 11434],
    ['http://[::1]:8000/', '::1', 8000],
  ])('listen with OLLAMA_HOST=%s on %s, port %i', (value, host, port) => {
    expect(readSettings({ OLLAMA_HOST: value })).toMatchObject({ host, port });
  });

  it('listen on loopback by default', () => {
    expect(readSettings({}).host).toBe('127.0.0.1');
  });

  it.each([
    ['24h', 86_400_000],
    ['1h30m', 5_400_000],
    ['300', 300_000],
    [10, 10_000],
    ['-1', -1000],
    ['500ms', 500],
    ['soon', undefined],
  ])('parse %s as %s milliseconds', (text, milliseconds) => {
    expect(duration(text)).toBe(milliseconds);
  });
});
