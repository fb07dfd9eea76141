# For the folders here whose sources become one library, OUT/NAME.so, with functions for JNI and for FFM. JAVA_HOME is the
# JDK that will load it.

OUT      ?= ../../../../target/c
CC       := gcc
NAME     := $(notdir $(CURDIR))
SOURCES  := $(wildcard *.c)
HEADER   := $(JAVA_HOME)/include/jni.h

ifeq ($(SOURCES),)
  SKIP := no sources
else ifeq ($(shell command -v $(CC)),)
  SKIP := no gcc; install gcc
else ifeq ($(wildcard $(HEADER)),)
  SKIP := no $(HEADER); set JAVA_HOME to a JDK
endif

ifdef SKIP

all:
	@echo "C library $(NAME) skipped: $(SKIP)"

else

CFLAGS   := -std=gnu11 -Wall -Wextra -Werror -O3 -march=native -fPIC -fvisibility=hidden
CPPFLAGS := -I$(JAVA_HOME)/include -I$(JAVA_HOME)/include/linux

all: $(OUT)/$(NAME).so

$(OUT)/$(NAME).so: $(SOURCES) Makefile ../library.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -shared -o $@ $(SOURCES)

endif

.PHONY: all
