// The types of the vendored bundle are those of Preact and its hooks.
export { Component, createContext, h, render } from "preact";
export * from "preact/hooks";
export function html(strings: TemplateStringsArray, ...values: unknown[]): any;
