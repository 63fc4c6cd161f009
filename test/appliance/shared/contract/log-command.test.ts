import { describe, expect, it } from 'vitest';
import { logCommand } from '#contract/component-names.ts';

describe('the command that shows why a service fails', () => {
  it('prints its log, also for a service of another stack', () => {
    expect(logCommand('ui')).toBe('sudo docker logs --tail 50 landfall-ui');
    expect(logCommand('other')).toBe('sudo docker logs --tail 50 landfall-other');
  });

  it('prints the state of a container that keeps no log', () => {
    expect(logCommand('chat')).toBe('sudo docker inspect --format "{{json .State}}" landfall-chat');
  });
});
