import { describe, expect, it } from 'vitest';
import { describeStack, healthOf } from '../../../../appliance/stages/stack/describe-stack.ts';
import type { StackState } from '../../../../appliance/stages/stack/stack-state.ts';

const engine = { name: 'engine', state: 'running', health: 'healthy' };
const relay = { name: 'relay', state: 'running', health: '' };
const ui = (state: string, health = '') => ({ name: 'ui', state, health });
const text = (now: StackState) =>
  describeStack(now)
    .map((row) => row.text)
    .join('\n');

describe('the stack in landfall status', () => {
  it('lists the components when all are up', () => {
    const parts = [engine, relay, ui('running', 'healthy')];
    expect(text({ parts })).toBe('now: all components are up: engine, relay, ui');
    expect(healthOf({ parts })).toBe('up');
  });

  it('lists components that are not up, with hints', () => {
    const parts = [engine, relay, ui('restarting')];
    expect(text({ parts })).toBe(`now: 1 of 3 components not up
  ui is restarting; sudo docker logs --tail 50 landfall-ui
  up: engine, relay
test the server: sudo landfall smoke; start stopped components: sudo landfall start`);
    expect(healthOf({ parts })).toBe('down');
  });

  it('counts a component that an administrator stopped as up, and says how to start it', () => {
    const stopped = { ...ui('exited'), stoppedSince: '2026-11-25T02:10:00.000Z' };
    const line =
      '  ui was stopped by an administrator, since 2026-11-25 02:10 UTC; sudo landfall start ui';
    expect(text({ parts: [engine, stopped] })).toBe(
      `now: all other components are up: engine\n${line}`,
    );
    expect(healthOf({ parts: [engine, stopped] })).toBe('up');
    expect(text({ parts: [stopped] })).toBe(line);
    expect(healthOf({ parts: [{ ...relay, state: 'exited' }, stopped] })).toBe('down');
  });

  it('shows the state of a container without a log', () => {
    const chat = { name: 'chat', state: 'exited', health: '' };
    expect(text({ parts: [engine, chat] })).toContain(
      '; sudo docker inspect --format "{{json .State}}" landfall-chat',
    );
  });

  it('shows no log of a missing container', () => {
    expect(text({ parts: [engine, ui('missing')] })).toContain(
      '\n  ui is missing; sudo landfall first-boot\n',
    );
  });

  it.each([
    [ui('running', 'starting'), 'starting', 'ui is starting'],
    [ui('created'), 'starting', 'ui is starting'],
    [ui('running', 'unhealthy'), 'down', 'ui is running, unhealthy'],
    [ui('exited'), 'down', 'ui is exited'],
    [ui('paused'), 'down', 'ui is paused'],
  ])('distinguishes starting from down: %j', (part, health, words) => {
    expect(healthOf({ parts: [engine, part] })).toBe(health);
    expect(text({ parts: [engine, part] })).toContain(words);
  });

  it('reports the stack as down if one component is starting and another is down', () => {
    expect(healthOf({ parts: [ui('created'), { ...relay, state: 'dead' }] })).toBe('down');
  });

  it('reports that Docker is not responding', () => {
    const now = { engine: 'no response within 10 seconds' };
    expect(text(now)).toBe(
      'now: Docker is not responding: no response within 10 seconds; sudo systemctl status docker',
    );
    expect(healthOf(now)).toBe('down');
  });

  it('reports a stack without containers as down (regression)', () => {
    expect(text({ parts: [] })).toContain('the stack has no containers');
    expect(healthOf({ parts: [] })).toBe('down');
  });
});
