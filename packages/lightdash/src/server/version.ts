/** The version of the whole house. */
export const VERSION = '0.1.0';
