package android.content;

public class ContextWrapper extends Context {}
