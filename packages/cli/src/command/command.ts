export type { CommandEntry, CommandModule, Context, Input, LoadedEntry } from '@callsign/command';
