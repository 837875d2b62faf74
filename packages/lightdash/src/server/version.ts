/** The version of all packages of Callsign. */
export const VERSION = '0.1.0';
