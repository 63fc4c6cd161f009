/**
 * Shell commands. With socket activation, a reload ends sshd, and only a restart of the socket
 * changes the port.
 */

const held = 'systemctl --quiet is-active ssh.socket';

/** Makes a running sshd reload its settings. */
export const rereadSshSettings = `if ${held}; then systemctl try-restart ssh; else systemctl reload ssh; fi`;

/** Makes SSH listen on the ports of its settings. */
export const restartSsh = `if ${held}; then systemctl daemon-reload && systemctl restart ssh.socket; else systemctl restart ssh; fi`;
