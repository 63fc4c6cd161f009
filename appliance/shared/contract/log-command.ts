import { componentNames, componentOf } from './component-names.ts';

/**
 * Returns the command that shows why a service fails: its log, or the state of its container if
 * Docker keeps no log.
 * @param service a name in `compose.yaml`, also of a stack other than Landfall's
 */
export function logCommand(service: string): string {
  const name = componentNames.find((each) => each === service);
  return name && componentOf(name).logging === 'none'
    ? `sudo docker inspect --format "{{json .State}}" landfall-${service}`
    : `sudo docker logs --tail 50 landfall-${service}`;
}
