/*
 * One shell command each. Where systemd holds the socket, a reload ends sshd, and only a restart of
 * the socket changes the port.
 */

const held = 'systemctl --quiet is-active ssh.socket';

/** Makes a running sshd read its settings again. */
export const rereadSshSettings = `if ${held}; then systemctl try-restart ssh; else systemctl reload ssh; fi`;

/** Makes SSH listen where its settings say. */
export const restartSsh = `if ${held}; then systemctl daemon-reload && systemctl restart ssh.socket; else systemctl restart ssh; fi`;
